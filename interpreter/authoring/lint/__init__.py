"""Lint for customizations: documents and scripts go in, findings with their place come out.

``sources`` reads what the user named, ``tree``, ``scopes`` and ``model`` understand one script,
``rules`` hold one topic each, ``shadowing`` compares documents, ``checking`` runs it all,
``reports`` writes findings down.

A rule speaks only where the fault is evident from the text; a false alarm costs more than a miss.
"""

"""Placement: which clusters an object goes to, and how many replicas each gets.

Everything here is a function of its arguments: clusters, bindings, feature gates and times are
handed in, results are handed back. Nothing is read, written or waited for, and no input is changed.
"""

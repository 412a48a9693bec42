"""The only users of the parsers: text and bytes become plain JSON values here, and go back to text.

Every module is one format. Nothing that a parser raises leaves this room; callers see
``InvalidObject`` with source, line and path.
"""

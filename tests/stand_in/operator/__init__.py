"""A stand-in for the Dynamo operator, Grove and the DRA controller: makes the objects that they make and leaves word in
annotations, from which the KWOK stages of tests/stand_in/stages play the status. It holds no opinion on what is valid:
that is the API server's part, by the schemas of tests/stand_in/crds.

What a test can ask of it stands in knobs.py.
"""

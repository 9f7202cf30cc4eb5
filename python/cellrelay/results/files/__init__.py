"""The files in the folder of an experiment: tables, the document, recordings, captures, traces."""

"""The live page: a run that people watch while it goes on, or a stored one once more.

A [session][cellrelay.live.session.Session] owns the run and its speed, and publishes frames; a
[server][cellrelay.live.server] shows them to any number of viewers. Nothing of it changes a run.
"""

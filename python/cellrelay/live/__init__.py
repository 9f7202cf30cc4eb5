"""The live page: viewers watch a run in a browser while it proceeds.

A [session][cellrelay.live.session.Session] owns one run and its pace, and publishes snapshots; a
[player][cellrelay.live.player.Player] opens scenarios, starts a session for each, and handles the
commands of viewers; a [server][cellrelay.live.server] connects viewers. No viewer changes a number
of a run.
"""

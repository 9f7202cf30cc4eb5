"""The documentation as a web site: its pages staged, built by zensical, and checked."""

"""What a release is made of: wheels for other systems, a recipe, and newer dependencies."""

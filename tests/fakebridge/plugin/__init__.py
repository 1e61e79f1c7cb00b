"""The testing API and the pytest plugin, as an author of another project meets them."""

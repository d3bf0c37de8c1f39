package dev.weir.dsm.web;

/** What {@code POST /storage} takes and {@code GET /storage/{id}} gives. */
record StorageForm(String id, String url) {}

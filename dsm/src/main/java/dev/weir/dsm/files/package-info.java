/** Datasets from directories: what is in them, and that nothing outside of them gets in. */
package dev.weir.dsm.files;

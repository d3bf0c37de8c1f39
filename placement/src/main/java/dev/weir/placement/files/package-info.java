/**
 * Files around a placement: JSON lines and YAML in; assignment, status, metrics and difference out. Readers refuse what is
 * wrong with file, line and reason; writers stream, and put each file in place only when it is whole.
 */
package dev.weir.placement.files;

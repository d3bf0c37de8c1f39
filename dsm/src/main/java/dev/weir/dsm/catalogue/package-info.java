/** The catalogue in PostgreSQL: every question and every change is one transaction. Safe for use from many threads. */
package dev.weir.dsm.catalogue;

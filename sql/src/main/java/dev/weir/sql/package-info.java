/**
 * The database for readers: its migrations, and the versioned upserts by which the mirror job writes it. What the tables and
 * indexes are for, and what they cost, is in docs/DATABASE.md.
 */
package dev.weir.sql;

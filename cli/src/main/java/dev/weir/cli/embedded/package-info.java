/** The embedded services: broker, database, Flink, DSM and pilots, in this process or as its children. */
package dev.weir.cli.embedded;

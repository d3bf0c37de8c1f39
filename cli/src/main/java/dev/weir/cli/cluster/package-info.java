/** A Flink cluster of separate processes on this machine, and Weir's jobs on this or any other session cluster, through Flink's REST API. */
package dev.weir.cli.cluster;

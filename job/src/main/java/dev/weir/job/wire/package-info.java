/** What travels between the operators of the jobs, and how: immutable messages with explicit, versioned serializers. */
package dev.weir.job.wire;

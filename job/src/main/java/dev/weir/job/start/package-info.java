/** How a job begins: from its newest checkpoint, from one that it was told, or empty. The same on a cluster and in one process. */
package dev.weir.job.start;

/** Asynchronous access to DSM: page requests go in, pages and failures come out. */
package dev.weir.job.dataset;

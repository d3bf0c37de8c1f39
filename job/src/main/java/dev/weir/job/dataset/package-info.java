/** Reading datasets from DSM beside the stream: requests for pages go in, pages and failures come out. */
package dev.weir.job.dataset;

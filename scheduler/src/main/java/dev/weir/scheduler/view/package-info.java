/** Rows of the mirror, wait reasons and metrics. All of it is derived; no decision is made here. */
package dev.weir.scheduler.view;

/** The life of a task: it is taken in, admitted to a slot, its dataset is read, it may stop early, and it closes. */
package dev.weir.scheduler.task;

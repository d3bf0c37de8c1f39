/** Commands of operators and WFMS: what each one changes, and commands that come before their task. */
package dev.weir.scheduler.command;

/** Whether all went well, judged from outside: events, DSM's catalogue and the mirror. */
package dev.weir.chaos.judge;

/** Bad input at volume: makes it, sends it, and follows what becomes of each message. */
package dev.weir.chaos.hostile;

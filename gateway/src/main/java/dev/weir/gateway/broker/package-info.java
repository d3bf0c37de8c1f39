/** The broker: tasks and commands go there, with confirms, and outcomes come from there. */
package dev.weir.gateway.broker;

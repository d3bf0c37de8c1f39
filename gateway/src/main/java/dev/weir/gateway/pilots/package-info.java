/** Jobs for pilots without AMQP: each request takes at most one, and a job that was taken and not started goes back. */
package dev.weir.gateway.pilots;

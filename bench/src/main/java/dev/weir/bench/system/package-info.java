/** The whole system: RabbitMQ, PostgreSQL, DSM and Weir as processes, with pilots that take no time. */
package dev.weir.bench.system;

/**
 * The pilot's side of AMQP: {@link dev.weir.pilot.broker.BrokerLink} keeps a {@link dev.weir.pilot.broker.Session} open, {@link
 * dev.weir.pilot.broker.JobIntake} takes one job from it, {@link dev.weir.pilot.broker.Outbox} gets every report through.
 */
package dev.weir.pilot.broker;

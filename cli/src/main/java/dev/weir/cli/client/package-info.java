/** The commands that ask and steer a running Weir through its gateway. */
package dev.weir.cli.client;

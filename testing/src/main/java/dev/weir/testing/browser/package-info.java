/** A browser for tests that look at pages as a person would. */
package dev.weir.testing.browser;

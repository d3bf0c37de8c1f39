/** Small line and bar charts as SVG text, without AWT: a JDK on a machine without fonts can draw them too. */
package dev.weir.bench.chart;

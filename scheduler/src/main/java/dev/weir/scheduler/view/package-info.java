/** What people and machines see: rows of the mirror, reasons for waiting, figures. All of it is derived; nothing here decides. */
package dev.weir.scheduler.view;

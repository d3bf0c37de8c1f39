/** The mechanical house rules, checked for every file of the project. */
package dev.weir.tidy;

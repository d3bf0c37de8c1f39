/** The mechanical rules of the house, held against every file of the project. What needs judgement is not here. */
package dev.weir.tidy;

/** Example of a block: adds tags from a CSV file. */
package chimera.examples.csv;

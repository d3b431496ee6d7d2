/** Tags from a table. */
package chimera.examples.csv;

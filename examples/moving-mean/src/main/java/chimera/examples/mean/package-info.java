/** Example of a block with state: means over sliding windows. */
package chimera.examples.mean;

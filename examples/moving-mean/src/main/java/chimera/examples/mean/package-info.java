/** Means over sliding windows. */
package chimera.examples.mean;

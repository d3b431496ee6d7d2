/** Commands that send data: generated loads and files. */
package io.chimera.node.load;

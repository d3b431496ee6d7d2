/** Time, and the threads that agents run on; the only package that reads the machine's clock. */
package io.chimera.common.agent;

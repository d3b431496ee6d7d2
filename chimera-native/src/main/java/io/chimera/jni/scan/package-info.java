/** Text searches with the processor's vector instructions. */
package io.chimera.jni.scan;

/** The extractor: copies the bytes of the channels into pre-allocated buffers for staging (Chimera 2017, III-D1). */
package io.chimera.processor.extractor;

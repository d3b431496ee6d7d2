/** A processor without cluster: extractor and staging with an endless part, and the frames of the part. */
package io.chimera.bench.fold;

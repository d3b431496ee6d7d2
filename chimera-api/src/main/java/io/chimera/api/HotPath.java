package io.chimera.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that runs once per data point or frame. Such a method does not allocate, box, lock, block, log, format
 * text or throw for bad data. A test of the build follows the calls inside the project, up to methods with
 * {@link ColdPath}; an allocation test per stage checks the rest.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface HotPath {}

package io.chimera.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that runs once per data point or frame. Such a method does not allocate, box, lock, block, log, format
 * text or throw for bad data. The architecture test checks the calls it makes; an allocation test per stage checks the
 * rest.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface HotPath {}

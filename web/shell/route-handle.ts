// What the route table says of a page beside its path and its code.

/** The `handle` of a route. */
export type RouteHandle = {
  /** For signed-in people. */
  isGuarded?: true
  /** For signed-out people. */
  isForVisitors?: true
  /** Mostly read: a visitor's browser loads the app only when they reach for a control. */
  isForReading?: true
  /** What of the page is there without scripts; nothing when it does not say. */
  withoutScripts?: 'all' | 'reading'
  /** Search engines may list it; whether they do, the page itself decides for each case. */
  isIndexed?: true
  /** A text is written here: it stays on screen when the session ends. */
  isForm?: true
}

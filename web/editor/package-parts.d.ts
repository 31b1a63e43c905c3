// Parts of the package that are loaded on the way. Each makes itself known to the package.
declare module 'hugerte/plugins/*'
declare module 'virtual:editor-dialogs'
declare module 'virtual:editor-table-icons' {
  /** The drawing of each, as SVG, by the name of the icon. */
  export const TABLE_ICONS: Record<string, string>
}

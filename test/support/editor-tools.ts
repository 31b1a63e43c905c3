// The items of the editor that do not change the text.

/**
 * Items that do not change the text by themselves: `writing-editor-tools.test.ts` tests what each
 * of them does.
 */
export const EDITOR_TOOLS = [
  'File > Preview',
  'File > Print...',
  'View > Preview',
  'View > Source code',
  'View > Visual aids',
  'View > Show blocks',
  'View > Fullscreen',

  // Fields beside a picture (pictures.test.ts).
  'Table toolbar > Alt text',
  'Table toolbar > Caption',

  'Edit > Undo',
  'Edit > Redo',
  'Edit > Copy',
  'Edit > Paste',
  'Edit > Paste as text',
  'Edit > Select all',
  'Edit > Find and replace...',

  'Help > Help',
  'Insert > Footnote',
  'Toolbar > Help',
  'Toolbar > Undo',
  'Toolbar > Redo',
  'Table > Row > Copy row',
  'Table > Column > Copy column',

  'Context menu > Link...',
  'Context menu > Open link',
  'Context menu > Image...',
  'Context menu > Table properties',

  'Context menu > Cell',
  'Context menu > Row',
  'Context menu > Column',
  'Context menu > Delete table',
] as const

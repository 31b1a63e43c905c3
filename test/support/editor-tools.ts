// The items of the editor that make nothing of the text.

/**
 * What makes nothing of the text by itself: `writing-editor-tools.test.ts` tells what each of these
 * does.
 */
export const EDITOR_TOOLS = [
  ...([
    'File > Preview',
    'File > Print...',
    'View > Preview',
    'View > Source code',
    'View > Visual aids',
    'View > Show blocks',
    'View > Fullscreen',
  ] as const),
  ...([
    'Edit > Undo',
    'Edit > Redo',
    'Edit > Copy',
    'Edit > Paste',
    'Edit > Paste as text',
    'Edit > Select all',
    'Edit > Find and replace...',
  ] as const),
  ...([
    'Tools > Source code',
    'Tools > Word count',
    'Help > Help',
    'Toolbar > Help',
    'Toolbar > Undo',
    'Toolbar > Redo',
  ] as const),
  ...(['Table > Row > Copy row', 'Table > Column > Copy column'] as const),
  ...([
    'Context menu > Link...',
    'Context menu > Open link',
    'Context menu > Image...',
    'Context menu > Table properties',
  ] as const),
  ...([
    'Context menu > Cell',
    'Context menu > Row',
    'Context menu > Column',
    'Context menu > Delete table',
  ] as const),
] as const

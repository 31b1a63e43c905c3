// English texts. The editor's own tools and dialogs: image, link, code.

export const editorTexts = {
  /** Tooltips of the tools; the editor adds the keys. */
  editorTools: { image: 'Image', link: 'Link', quote: 'Quote', code: 'Code sample' },
  /** Items of the editor's menus, worded like the package's own items. */
  editorItems: {
    image: 'Image...',
    link: 'Link...',
    code: 'Code sample...',
    openLink: 'Open link',
    removeLink: 'Remove link',
  },
  /** Items of the menu "Insert", and the heading above the contents of a text. */
  textObjects: {
    insertFootnote: 'Footnote',
    insertContents: 'Contents',
    contents: 'Contents',
  },
  /** British spelling for texts of the editor package; its other texts stay. */
  packageTexts: {
    'Text color': 'Text colour',
    'Text color {0}': 'Text colour {0}',
    'Background color': 'Background colour',
    'Background color {0}': 'Background colour {0}',
    'Border color': 'Border colour',
    'Custom color': 'Custom colour',
    'Remove color': 'Remove colour',
    Color: 'Colour',
    'Color Picker': 'Colour Picker',
    'Color swatch': 'Colour swatch',
    'Hex color code': 'Hex colour code',
    'Invalid hex color code: {0}': 'Invalid hex colour code: {0}',
  },
  imageDialog: {
    title: 'Picture',
    drop: 'Drop a picture here',
    choose: 'Choose a picture',
    chooseOther: 'Choose another picture',
    kinds: 'PNG, JPG, JPEG, GIF, WebP, AVIF or HEIC.',
    scaledTo: (pixels: number) => `scaled to ${pixels} px`,
    orPaste: (kinds: string) => `or choose one, or paste it into the text. ${kinds}`,
    useAddress: 'Use a URL instead',
    address: 'Image URL',
    addressStart: 'https://',
    addressHint: 'It stays on the other site and can disappear there.',
    preview: 'Preview of the picture',
    upload: 'Picture upload',
    alt: 'What is in the picture',
    altKind: 'alt text',
    altHint:
      'Read aloud to people who do not see it. Leave it empty if the picture only decorates.',
    caption: 'Caption',
    optional: 'optional',
    captionHint: 'Shown under the picture.',
    stored: 'Stored.',
    storedAs: (kind: string) => `Stored, converted to ${kind}.`,
    insert: 'Insert picture',
    insertLater: 'Insert after upload',
    save: 'Save picture',
    dropped: (progress: string) =>
      `The picture was not stored. The connection dropped at ${progress}.`,
    notStored: (reason: string) => `The picture was not stored. ${reason}`.trim(),
  },
  codeDialog: {
    title: 'Code sample',
    language: 'Language',
    code: 'Code',
    hint: 'Tab indents. Esc, then Tab leaves the field. Ctrl + Enter inserts.',
    insert: 'Insert code',
    save: 'Save code',
  },
  linkDialog: {
    title: 'Link',
    text: 'Text',
    address: 'URL',
    problem: 'This does not look like a URL. It begins with https:// or with /.',
    insert: 'Insert link',
    save: 'Save link',
    remove: 'Remove link',
  },
  mediaDialog: {
    title: 'Media',
    source: 'Source',
    hint: 'The address of a video at YouTube or Vimeo, or its embed code. Other addresses become links.',
    save: 'Save',
  },
  /** The tools for the selected words. */
  bubble: {
    name: 'Selected words',
    bold: 'Bold',
    italic: 'Italic',
    strikethrough: 'Strike through',
    code: 'Code',
    link: 'Link',
    heading: 'Heading',
    quote: 'Quote',
    footnote: 'Footnote',
    clear: 'Clear formatting',
  },
  /** The menu that "/" opens in an empty line. */
  inserter: {
    open: 'Insert a block',
    title: 'Insert',
    none: (words: string) => `Nothing called “${words}”. Esc leaves the words.`,
    orType: (signs: string) => `or type ${signs}`,
    /** Announced for the entry that Enter inserts. */
    active: (parts: readonly string[], at: number, count: number) =>
      `${parts.join(', ')}, ${at} of ${count}`,
    /** The menu also finds the other names. */
    entries: {
      heading: { name: 'Heading', hint: 'A section of the post', otherNames: 'title section' },
      picture: {
        name: 'Picture',
        hint: 'From this device or by address',
        otherNames: 'image photo',
      },
      gallery: { name: 'Gallery', hint: 'Two to thirty pictures', otherNames: 'images photos' },
      code: { name: 'Code', hint: 'With colours for the language', otherNames: 'program' },
      table: { name: 'Table', hint: 'Rows and columns', otherNames: 'grid' },
      quote: { name: 'Quote', hint: '', otherNames: 'quotation blockquote' },
      divider: { name: 'Divider', hint: '', otherNames: 'line rule break' },
      embed: {
        name: 'Embed',
        hint: 'Video, sound, a post elsewhere; loads when pressed',
        otherNames: 'video sound music media',
      },
      linkCard: {
        name: 'Link card',
        hint: 'One of your posts',
        otherNames: 'post card',
      },
      footnote: { name: 'Footnote', hint: '', otherNames: 'note' },
      contents: { name: 'Contents', hint: 'A list of the headings', otherNames: 'toc list' },
      callout: { name: 'Callout', hint: 'A note set apart', otherNames: 'box note aside' },
      tasks: { name: 'Task list', hint: 'Items to tick', otherNames: 'todo checklist checkbox' },
    },
  },
}

document.title = 'Almirah Uploader';

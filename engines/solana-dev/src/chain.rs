//! The chain on disk: a SQLite database, and a file that appears once the chain has begun.
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use surfpool_db::diesel::{Connection, SqliteConnection, connection::SimpleConnection};

pub struct Chain {
    folder: PathBuf,
    /// Identifies the chain: new for each one, and kept with it.
    pub genesis_hash: String,
    pub is_new: bool,
}

impl Chain {
    /// The chain in the folder, or a new one. What is left of one that never began is deleted.
    pub fn open(folder: &Path) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| at(folder, &error.to_string()))?;
        let begun = folder.join(BEGUN);
        let kept = match fs::read_to_string(&begun) {
            Ok(text) => Some(text.trim().to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(at(&begun, &error.to_string())),
        };
        let chain = Self {
            folder: folder.to_path_buf(),
            is_new: kept.is_none(),
            genesis_hash: kept
                .map_or_else(random_hash, Ok)
                .map_err(|error| error.to_string())?,
        };
        if chain.is_new {
            chain.remove()?
        } else {
            chain.forget_templates()?
        }
        Ok(chain)
    }

    pub fn database(&self) -> PathBuf {
        self.folder.join(DATABASE)
    }

    /// From here on, the chain goes on after a crash.
    pub fn begin(&self) -> io::Result<()> {
        let draft = self.folder.join("begun.next");
        let mut file = File::create(&draft)?;
        writeln!(file, "{}", self.genesis_hash)?;
        file.sync_all()?;
        fs::rename(&draft, self.folder.join(BEGUN))?;
        File::open(&self.folder)?.sync_all()
    }

    fn remove(&self) -> Result<(), String> {
        for suffix in ["", "-wal", "-shm"] {
            let path = self.folder.join(format!("{DATABASE}{suffix}"));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(at(&path, &error.to_string()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Surfpool adds its built-in interface descriptions (IDLs) to the table at each start, although they are there already.
    fn forget_templates(&self) -> Result<(), String> {
        let database = self.database();
        let path = database.to_string_lossy();
        SqliteConnection::establish(&path)
            .map_err(|error| error.to_string())
            .and_then(|mut connection| {
                let statements =
                    "PRAGMA busy_timeout = 5000; DROP TABLE IF EXISTS registered_idls;";
                connection
                    .batch_execute(statements)
                    .map_err(|error| error.to_string())
            })
            .map_err(|error| at(&database, &error))
    }
}

const BEGUN: &str = "begun";
const DATABASE: &str = "chain.sqlite";

fn at(path: &Path, error: &str) -> String {
    format!("{}: {error}", path.display())
}

fn random_hash() -> io::Result<String> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bs58::encode(bytes).into_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("solana-dev-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_chain_that_has_begun_keeps_its_hash_and_its_data() {
        let folder = folder("begun");
        let first = Chain::open(&folder).unwrap();
        assert!(first.is_new);
        let mut connection =
            SqliteConnection::establish(&first.database().to_string_lossy()).unwrap();
        connection
            .batch_execute("CREATE TABLE registered_idls (a); CREATE TABLE kept (a);")
            .unwrap();
        drop(connection);
        first.begin().unwrap();
        let second = Chain::open(&folder).unwrap();
        assert!(!second.is_new);
        assert_eq!(second.genesis_hash, first.genesis_hash);
        let mut connection =
            SqliteConnection::establish(&second.database().to_string_lossy()).unwrap();
        connection.batch_execute("SELECT * FROM kept").unwrap();
        assert!(
            connection
                .batch_execute("SELECT * FROM registered_idls")
                .is_err()
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_chain_that_never_began_begins_again() {
        let folder = folder("torn");
        let first = Chain::open(&folder).unwrap();
        fs::write(first.database(), "half of it").unwrap();
        let second = Chain::open(&folder).unwrap();
        assert!(second.is_new);
        assert_ne!(second.genesis_hash, first.genesis_hash);
        assert!(!second.database().exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
